/** The tail of latencies: outliers, exact intervals of percentiles, tail shapes, probe checks. */
package org.terrace.analysis.tail;
