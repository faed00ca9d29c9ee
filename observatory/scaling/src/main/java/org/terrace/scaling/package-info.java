/** A mesh: the trials of many configurations under many loads, as any analysis of them reads it. */
package org.terrace.scaling;
