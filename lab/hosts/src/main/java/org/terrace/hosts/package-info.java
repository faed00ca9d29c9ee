/** The machines on which the servers of a trial run, and the agent that serves on each. */
package org.terrace.hosts;
