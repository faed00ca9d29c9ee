/** Visitors who watch whether what a site keeps for them survives its faults. */
package org.terrace.experiment.session;
