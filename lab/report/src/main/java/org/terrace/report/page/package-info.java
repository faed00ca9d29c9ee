/** The parts of which pages are made: markup, tables, quantities as people read them, scales. */
package org.terrace.report.page;
