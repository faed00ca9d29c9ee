/** Rows of probes, and the checks that catch accidents of their measurement. */
@org.jspecify.annotations.NullMarked
package org.terrace.studies.probes;
