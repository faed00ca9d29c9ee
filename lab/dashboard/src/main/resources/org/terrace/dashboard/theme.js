'use strict';
// Before anything is painted: the theme that was chosen on another page of the dashboard.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('terrace-theme');
  } catch {
    // Where nothing may be stored, the system's theme is right.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
