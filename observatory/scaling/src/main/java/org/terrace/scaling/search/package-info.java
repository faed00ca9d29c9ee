/**
 * Strategies that choose the next trial of a mesh, each a pure function of the trials so far: the
 * same trials give the same choice, so that an interrupted search goes on where it was.
 */
package org.terrace.scaling.search;
