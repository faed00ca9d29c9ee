/** What this machine is and can do, and limits for the servers that share it. */
package org.terrace.nodes.machine;
