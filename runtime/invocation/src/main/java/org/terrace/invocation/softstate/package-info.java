/**
 * Services over soft state: every replica runs every update, one that a hash chooses answers, and
 * reads go to the replicas that answer fastest.
 */
package org.terrace.invocation.softstate;
