/** Mixes: the pages that users ask for, their transitions, and the time between two. */
package org.terrace.load.mix;
