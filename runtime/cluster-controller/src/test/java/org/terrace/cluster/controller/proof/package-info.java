/**
 * The campaigns of the clustered database: real servers and owners that are killed, and a judge.
 */
package org.terrace.cluster.controller.proof;
