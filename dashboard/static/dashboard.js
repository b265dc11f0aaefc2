// Enhancements alone: every page works without this file.

// Times are in the zone of their place. The title adds the time of the person who looks.
for (const time of document.querySelectorAll("time[datetime*='T']")) {
  const own = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  time.title = (time.title ? time.title + " · " : "") + own + " " + Intl.DateTimeFormat().resolvedOptions().timeZone;
}
