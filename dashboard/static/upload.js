// Files can be dropped on a form for files. It is then sent as if they had been chosen.
for (const form of document.querySelectorAll("form.upload")) {
  const input = form.querySelector("input[type=file]");
  const over = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("over");
  };
  form.addEventListener("dragenter", over);
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
