/** Specifications, server processes, load, faults, monitors and trials. */
package org.terrace.experiment;
