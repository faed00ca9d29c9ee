/** The settings of the servers of an experiment: what they may use, and what plays them. */
package org.terrace.nodes.setting;
