for (const table of document.querySelectorAll("table")) {
  const heads = [...table.querySelectorAll("th")], body = table.tBodies[0];
  const key = (row, at) => row.cells[at].dataset.by ?? row.cells[at].textContent;
  const sort = at => {
    const isNumber = body.rows[0].cells[at].dataset.by !== undefined;
    const up = heads[at].ariaSort ? heads[at].ariaSort !== "ascending" : !isNumber;
    const order = isNumber ? (a, b) => a - b : (a, b) => a.localeCompare(b);
    const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * order(key(a, at), key(b, at)));
    heads.forEach(head => head.removeAttribute("aria-sort"));
    heads[at].setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows);
  };
  heads.forEach((head, at) => {
    head.classList.add("sortable");
    head.tabIndex = 0;
    if (body.rows[0]?.cells[at].classList.contains("n")) head.classList.add("n");
    head.addEventListener("click", () => sort(at));
    head.addEventListener("keydown", event => event.key === "Enter" && sort(at));
  });
}
