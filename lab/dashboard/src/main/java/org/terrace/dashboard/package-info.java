/** The dashboard: results in a browser, read and never changed. */
package org.terrace.dashboard;
