/** Findings to JSON, SVG and one offline HTML file; it decides nothing. */
package org.terrace.report;
