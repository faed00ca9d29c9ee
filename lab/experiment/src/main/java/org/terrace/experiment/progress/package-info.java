/** The progress of a command that runs, as a file in its result that others may follow. */
package org.terrace.experiment.progress;
