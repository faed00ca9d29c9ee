/** The pages of the dashboard; they look as the report does, and decide nothing. */
package org.terrace.dashboard.pages;
