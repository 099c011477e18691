"""The wallet's calls: read the request, ask the store or execute rules on its book, answer."""
