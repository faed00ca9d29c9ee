/** Breaks servers on purpose and records when. */
package org.terrace.nodes.fault;
