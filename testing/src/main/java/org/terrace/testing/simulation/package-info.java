/** A deterministic simulator of nodes, clocks, disks and a bad network: one seed is one history. */
package org.terrace.testing.simulation;
