/**
 * The vocabulary of the seven applications: what an application, its workload and its replies are.
 */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.application;
