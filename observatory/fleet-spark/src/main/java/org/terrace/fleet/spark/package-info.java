/** The findings of a data set of trials as a job of Apache Spark. */
@NullMarked
package org.terrace.fleet.spark;

import org.jspecify.annotations.NullMarked;
