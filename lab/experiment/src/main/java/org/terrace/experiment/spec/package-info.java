/** Reads specifications of experiments. */
package org.terrace.experiment.spec;
