/** The database servers that a trial runs, of whichever system. */
package org.terrace.experiment.database;
