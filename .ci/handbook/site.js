/** What every page of the site does: tables and blocks that scroll sideways can be reached by keys. */

function reach() {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
    part.toggleAttribute("tabindex", part.scrollWidth > part.clientWidth);
    if (part.hasAttribute("tabindex")) {
      part.setAttribute("tabindex", "0");
    }
  }
}

window.addEventListener("load", () => setTimeout(reach, 100)); // the generator wraps tables when it begins
window.addEventListener("resize", reach);
