/** Readers of experiments, meshes and prices, and what a mesh is made of. */
package org.terrace.specification;
