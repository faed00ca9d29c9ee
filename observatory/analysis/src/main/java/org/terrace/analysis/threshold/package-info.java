/** Thresholds: the conditions under which a finding ends a pipeline. */
@org.jspecify.annotations.NullMarked
package org.terrace.analysis.threshold;
