/** The files that an analysis reads, as they are named on a command line. */
package org.terrace.cli.input;
