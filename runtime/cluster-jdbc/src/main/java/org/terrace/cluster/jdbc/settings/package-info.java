/** What a URL {@code jdbc:terrace:} says about a cluster. */
package org.terrace.cluster.jdbc.settings;
