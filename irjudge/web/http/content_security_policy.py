"""The Content-Security-Policy of all that a browser gets from us: answers, pages of a session, files that judge, and reports."""

from base64 import b64encode
from hashlib import sha256

# No page runs or loads what it did not come with; what runs and what is shown is named by its hash, and nothing comes from the network.
FILE_POLICY = "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'"
SERVED_POLICY = (
    f"{FILE_POLICY}; connect-src 'self'"  # of a page that a session serves: it speaks to its server
)
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # of what nothing runs in
)
UNFRAMED = "frame-ancestors 'none'"  # a browser heeds it in a header only
ANSWER_POLICY = f"default-src 'none'; {UNFRAMED}"  # of what is no page


def filled_policy(policy: str, script: str, style: str) -> str:
    """Return a policy that lets a page run one script and show one style."""
    return policy.format(_named(script), _named(style))


def _named(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
