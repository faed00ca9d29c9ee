/** Tables as files: the description of their columns, Parquet, and files that appear whole. */
package org.terrace.observation.table;
