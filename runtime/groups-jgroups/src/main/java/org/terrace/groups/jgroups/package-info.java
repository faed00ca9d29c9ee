/**
 * Groups whose members find, watch and reach each other by a JGroups protocol stack, for those who
 * have outgrown one network or need its discovery in clouds, its encryption or its tunnels.
 */
package org.terrace.groups.jgroups;
