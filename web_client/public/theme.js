// Runs before the first paint, so that a chosen theme does not flash. A file of its own: the page's policy allows no inline script.
(function () {
  try {
    var theme = localStorage.getItem("vitrine.theme");
    if (theme !== "light" && theme !== "dark") theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
  } catch (error) {
    /* storage is off: the system's theme it is */
  }
})();
