/** Prices and plans of a mesh, as the command and the dashboard make them. */
package org.terrace.dashboard.planning;
