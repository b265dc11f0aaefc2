// Enhancements alone: every page works without this file.

// Times are in the zone of their place. The title adds the time of the person who looks.
function addOwnTimes() {
  for (const time of document.querySelectorAll("time[datetime*='T']")) {
    const own = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    const added = own + " " + Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!time.title.endsWith(added)) time.title = (time.title ? time.title + " · " : "") + added;
  }
}

// The times at which something was learned, as a slider.
for (const list of document.querySelectorAll("details[data-slider]")) {
  const links = [...list.querySelectorAll("a")];
  if (links.length < 2) continue;
  const line = document.createElement("div"), label = document.createElement("label"), input = document.createElement("input"), output = document.createElement("a");
  line.className = "slider";
  label.htmlFor = input.id = "as-of-slider";
  label.textContent = list.dataset.slider;
  Object.assign(input, { type: "range", min: 0, max: links.length - 1, step: 1 });
  const until = Date.parse(list.dataset.at) || Infinity;
  input.value = Math.max(0, links.findLastIndex(a => Date.parse(new URL(a.href).searchParams.get("as_of")) <= until));
  output.className = "button";
  const show = () => {
    const link = links[input.value];
    output.href = link.href;
    output.textContent = list.dataset.show + " " + link.textContent;
    input.setAttribute("aria-valuetext", link.textContent);
  };
  input.addEventListener("input", show);
  show();
  line.append(label, input, output);
  list.before(line);
}
// A box that ticks all rows of the page.
for (const heading of document.querySelectorAll("th[data-pick]")) {
  const table = heading.closest("table"), all = document.createElement("input");
  const boxes = () => [...table.querySelectorAll("td.pick input")];
  const show = () => {
    const ticked = boxes().filter(b => b.checked).length;
    all.checked = ticked > 0 && ticked === boxes().length;
    all.indeterminate = ticked > 0 && !all.checked;
  };
  all.type = "checkbox";
  all.setAttribute("aria-label", heading.dataset.pick);
  all.addEventListener("change", () => boxes().forEach(b => (b.checked = all.checked)));
  table.addEventListener("change", show);
  document.addEventListener("landfall:update", show);
  heading.append(all);
  show();
}
addOwnTimes();
document.addEventListener("landfall:update", addOwnTimes);
