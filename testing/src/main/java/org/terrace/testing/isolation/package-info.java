/** The anomalies of isolation that histories of transactions on lists show, after Adya. */
package org.terrace.testing.isolation;
