/** Results compared with each other, as the command and the dashboard tell it. */
package org.terrace.dashboard.comparison;
