from .explanation import explain as explain
