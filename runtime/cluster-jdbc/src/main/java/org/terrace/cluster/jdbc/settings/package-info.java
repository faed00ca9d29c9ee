/** The settings of a cluster, as a URL {@code jdbc:terrace:} gives them. */
package org.terrace.cluster.jdbc.settings;
