/** Meshes: one experiment run in many configurations, under many loads, again and again. */
package org.terrace.mesh;
