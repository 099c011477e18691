"""The operator's command line: `floorctl`."""
