/**
 * Trials and captures of any number as one Parquet data set, partitioned by trial, server and hour,
 * and the findings of each trial made of tasks that need one server's requests alone.
 */
package org.terrace.fleet;
