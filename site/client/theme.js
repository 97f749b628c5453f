// Runs before the page is drawn, so that a chosen colour scheme does not flash.
document.documentElement.classList.add('has-script');
try {
  const chosen = localStorage.getItem('navette-colours');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.colours = chosen;
} catch {
  // storage is forbidden: the system's colours stay
}
