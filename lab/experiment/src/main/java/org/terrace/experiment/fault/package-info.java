/** Breaks servers on purpose and records when. */
package org.terrace.experiment.fault;
