/** Output of commands: files that never go over another, and texts for a terminal. */
package org.terrace.cli.output;
