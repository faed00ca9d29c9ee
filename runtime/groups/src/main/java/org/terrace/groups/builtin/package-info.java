/** The built-in group: datagrams, connections and threads around the membership state machine. */
package org.terrace.groups.builtin;
