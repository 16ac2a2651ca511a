"""PDF files for tests of page images."""

import io

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure


def make_pdf(pages: int, inches: tuple[float, float] = (4.0, 4.0)) -> bytes:
    """Return a PDF file; page n has its number as text and a bar over n tenths of its width."""
    file = io.BytesIO()
    with PdfPages(file) as made:
        for number in range(1, pages + 1):
            page = Figure(figsize=inches)
            page.text(0.1, 0.5, f"page {number} of {pages}")
            page.add_axes((0, 0, number / 10, 0.1), frameon=False, xticks=[], yticks=[]).axhspan(
                0, 1, color="black"
            )
            made.savefig(page)
    return file.getvalue()
