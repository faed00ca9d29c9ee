/** The machine: its facts and abilities, and limits for the servers that share it. */
package org.terrace.nodes.machine;
